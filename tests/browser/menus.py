"""The menus on top of the pages, as whoever looks for a page uses them."""

from playwright.sync_api import Page


def go_to(page: Page, title: str, group: str | None = "Look") -> None:
    """Choose a page: in the menu of its group, or in the bar itself."""
    menus = page.get_by_role("navigation", name="Pages")
    if group:
        menus.locator("details:visible", has_text=group).locator("summary").first.click()
    menus.get_by_role("link", name=title).click()
