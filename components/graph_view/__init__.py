"""The graph on screen: a pyvis network in a Streamlit component, with the slider of time under it."""

from components.graph_view.view import Control, Picture, PictureCommunity, Selection, graph_view

__all__ = ["Control", "Picture", "PictureCommunity", "Selection", "graph_view"]
