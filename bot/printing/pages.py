"""A4 pages in French: fonts with every sign of it, a foot on each page."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fpdf import FPDF

MARGIN: Final = 18
FOOT_SIZE: Final = 8
GREY: Final = (97, 96, 97)
INK: Final = (29, 28, 29)
ACCENT: Final = (31, 58, 77)


def new_pages(title: str, *, foot: str) -> "FPDF":
    """One empty page; `foot` stands on each, before its number. Blocking: half a second at the first call."""
    from fpdf import FPDF  # which only who prints pays

    class Pages(FPDF):
        def footer(self) -> None:
            self.set_y(-14)
            self.set_font("text", size=FOOT_SIZE)
            self.set_text_color(*GREY)
            self.cell(0, 6, f"{foot} · page {self.page_no()} / {{nb}}", align="C")
            self.set_text_color(*INK)

    pages = Pages(format="A4")
    folder = _fonts()
    pages.add_font("text", fname=folder / "DejaVuSans.ttf")
    pages.add_font("text", style="B", fname=folder / "DejaVuSans-Bold.ttf")
    pages.add_font("text", style="I", fname=folder / "DejaVuSans-Oblique.ttf")
    pages.add_font("text", style="BI", fname=folder / "DejaVuSans-BoldOblique.ttf")
    pages.set_margin(MARGIN)
    pages.set_auto_page_break(True, margin=20)
    pages.set_title(title)
    pages.set_creator("QuartierScope")
    pages.set_lang("fr-FR")
    pages.add_page()
    pages.set_text_color(*INK)
    return pages


def _fonts() -> Path:
    """DejaVu, which comes with the library that draws our charts: Latin, signs and accents of French."""
    import matplotlib as mpl

    return Path(mpl.get_data_path()) / "fonts" / "ttf"
