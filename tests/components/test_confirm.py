"""Questions before a change."""

import pytest
from streamlit.testing.v1 import AppTest


@pytest.mark.slow
@pytest.mark.usefixtures("packages_scanned_once")
def test_a_question_that_is_answered_by_now_closes() -> None:
    def page() -> None:
        import streamlit as st

        from components import confirm, problems
        from services.core.errors import AlreadyDone
        from services.writing import corrections

        def preview() -> corrections.Correction:
            raise AlreadyDone("Nothing is left.", "It was done meanwhile.")

        st.session_state.runs = st.session_state.get("runs", 0) + 1
        if st.session_state.runs == 1:
            with problems.guarded():
                confirm.correction("Do it", "team", "A note.", preview, lambda _workspace, _user: None)
        st.write(f"run {st.session_state.runs}")

    app = AppTest.from_function(page).run()
    assert not app.exception
    assert [one.value for one in app.markdown] == ["run 2"]
