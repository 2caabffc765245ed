"""The records that the examples of the eight queries return, as lines of a file."""

import json
from typing import Any

SEEDS: tuple[dict[str, Any], ...] = (
    {
        "type": "Partnership",
        "id": "partnership_felix_nicolas",
        "citizen": "felix",
        "partner_name": "Nicolas",
        "partner_role": "Co-Founder",
        "trust_level": 0.9,
        "communication_style": "Direct, technical, values testing",
        "shared_history": ["€35K lesson", "8 months Venice"],
    },
    {
        "type": "Conversation_Memory",
        "id": "conv_race_condition_nov_2024",
        "citizen": "felix",
        "partner": "nicolas",
        "topic": "stimulus_integrator race condition",
        "message_count": 10,
        "key_points": ["Third recurrence", "Systematic approach agreed"],
        "emotional_tone": "Frustrated but determined",
        "timestamp": "2024-11-15T14:30:00Z",
    },
    {
        "type": "Technical_Context",
        "id": "tech_stimulus_integrator_race",
        "citizen": "felix",
        "component": "stimulus_integrator.py",
        "issue_type": "race condition",
        "description": "Timing bug in multi-threaded energy injection",
        "recurrence_count": 3,
        "status": "investigating",
        "related_code": ["consciousness_engine_v2.py", "traversal.py"],
        "updated_at": "2024-11-15T14:30:00Z",
    },
    {
        "type": "Emotional_State",
        "id": "emotion_frustration_recurrence",
        "citizen": "felix",
        "emotion": "frustration",
        "intensity": 0.8,
        "context": "Bug recurrence represents unfinished work",
        "counterbalance": "Determination - we've solved harder problems",
        "trigger_pattern": "Known issue returning unexpectedly",
    },
    {
        "type": "Strategy_Pattern",
        "id": "strategy_systematic_debugging_concurrency",
        "citizen": "felix",
        "approach": "Systematic debugging for concurrency issues",
        "success_rate": 0.85,
        "steps": [
            "Reproduce consistently before attempting fix",
            "Add timing instrumentation",
            "Review recent threading changes",
            "Check criticality calculations",
        ],
        "applicability": "Race conditions, timing bugs, concurrency issues",
    },
    {
        "type": "Code_Reference",
        "id": "code_stimulus_integrator",
        "citizen": "felix",
        "file_path": "orchestration/mechanisms/stimulus_integrator.py",
        "description": "Multi-threaded energy injection",
        "complexity": "high",
        "dependencies": ["consciousness_engine_v2.py", "graph_physics.py"],
    },
    {
        "type": "Code_Reference",
        "id": "code_engine",
        "citizen": "felix",
        "file_path": "consciousness_engine_v2.py",
        "description": "Engine",
        "complexity": "high",
        "dependencies": [],
    },
    {
        "type": "Code_Reference",
        "id": "code_tests",
        "citizen": "felix",
        "file_path": "tests/test_integrator.py",
        "description": "Tests",
        "complexity": "low",
        "dependencies": ["stimulus_integrator.py"],
    },
    {
        "type": "Failed_Attempt",
        "id": "fail_race_condition_patch_nov1",
        "citizen": "felix",
        "context": "race condition in injection",
        "approach": "Added sleep(0.001) between injections",
        "why_failed": "Didn't address root cause - just reduced probability",
        "lesson_learned": "Band-Aid fixes make timing bugs harder to reproduce",
        "timestamp": "2024-11-01T10:00:00Z",
    },
    {
        "type": "Constraint",
        "id": "constraint_launch_deadline_nov25",
        "citizen": "felix",
        "status": "active",
        "constraint_type": "deadline",
        "description": "Must ship stable version for launch",
        "severity": "critical",
        "deadline": "2024-11-25T23:59:59Z",
        "impact": "Cannot launch with known race conditions",
    },
)


def lines(*records: dict[str, Any]) -> bytes:
    """Records as JSON lines."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)
