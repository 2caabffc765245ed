"""The app with one page more, which shows a title and nothing else: what other pages are compared with."""

from typing import Any

import streamlit as st

from app import app

__all__ = ["app"]
_navigation = st.navigation


def _empty() -> None:
    st.title("Empty")


def _with_empty_page(pages: list[Any], **options: Any) -> Any:
    return _navigation([*pages, st.Page(_empty, title="Empty", url_path="Empty")], **options)


st.navigation = _with_empty_page  # type: ignore[misc, assignment]  # a page that only benchmarks visit
