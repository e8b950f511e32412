"""What runners hold and draw, as drawings, each in a square of 48 around the origin."""

from __future__ import annotations


def _die(light: str, dark: str, deep: str) -> str:
    """A cube seen from above a corner, marked with a plus: one more die."""
    return (
        f'<path d="M0 -21L19 -11L0 0L-19 -11Z" fill="{light}"/><path d="M-19 -11L0 0V22L-19 11Z" fill="{dark}"/>'
        f'<path d="M19 -11L0 0V22L19 11Z" fill="{deep}"/>'
        '<path d="M-9.5 0V11M-14 3L-5 8" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/>'
        '<ellipse cx="0" cy="-11" rx="5" ry="3" fill="#fff"/><ellipse cx="9.5" cy="5.5" rx="2.6" ry="4" fill="#fff"/>'
    )


_HOURGLASS = (
    '<path d="M-11 -17H11C11 -6 3 -4 3 0C3 4 11 6 11 17H-11C-11 6 -3 4 -3 0C-3 -4 -11 -6 -11 -17Z" fill="#cfe6ef"/>'
    '<path d="M-8 -9H8C6 -5 2 -4 2 0V4C3 9 8 9 9 16H-9C-8 9 -3 9 -2 4V0C-2 -4 -6 -5 -8 -9Z" fill="#e0a94a"/>'
    '<rect x="-15" y="-22" width="30" height="6" rx="3" fill="#8a5a34"/>'
    '<rect x="-15" y="16" width="30" height="6" rx="3" fill="#8a5a34"/>'
)
_DAGGER = (
    '<g transform="rotate(45)"><path d="M0 -24L5 -15V4H-5V-15Z" fill="#d5dde8"/><path d="M0 -24L5 -15V4H0Z" '
    'fill="#9fabbd"/><rect x="-10" y="4" width="20" height="5" rx="2.5" fill="#c8963c"/>'
    '<rect x="-3" y="9" width="6" height="12" rx="3" fill="#6b4426"/></g>'
)
_SWORD = (
    '<g transform="rotate(45)"><path d="M0 -30L6 -22V10H-6V-22Z" fill="#e3eaf3"/><path d="M0 -30L6 -22V10H0Z" '
    'fill="#a3afc2"/><path d="M-14 8H14V14H-14Z" fill="#d8a63f"/><rect x="-3.5" y="13" width="7" height="13" '
    'rx="3" fill="#7b2f2f"/><circle cy="27" r="4.5" fill="#d8a63f"/></g>'
)
_SHIELD = (
    '<path d="M0 -22C7 -17 14 -16 19 -16C19 4 14 16 0 23C-14 16 -19 4 -19 -16C-14 -16 -7 -17 0 -22Z" fill="#7d889b"/>'
    '<path d="M0 -17C5 -13 10 -12 14.5 -12C14.5 3 10 12 0 18Z" fill="#2f6fb3"/>'
    '<path d="M0 -17C-5 -13 -10 -12 -14.5 -12C-14.5 3 -10 12 0 18Z" fill="#4b8fd6"/>'
    '<path d="M0 -17V18M-15 -1H15" stroke="#f0d27a" stroke-width="3.4"/>'
)
_MAIL = (
    '<path d="M-9 -20L-23 -12L-18 0L-13 -3V21H13V-3L18 0L23 -12L9 -20C6 -14 -6 -14 -9 -20Z" fill="#8b96a8"/>'
    '<path d="M-12 -4C-8 0 -4 0 0 -4C4 0 8 0 12 -4M-12 4C-8 8 -4 8 0 4C4 8 8 8 12 4M-12 12C-8 16 -4 16 0 12'
    'C4 16 8 16 12 12" fill="none" stroke="#5b6577" stroke-width="2.6"/>'
)
_POTION = (
    '<path d="M-6 -14H6V-6C15 -2 18 6 15 14C13 21 -13 21 -15 14C-18 6 -15 -2 -6 -6Z" fill="#e6eef4"/>'
    '<path d="M-14 4C-7 1 6 8 15 3C17 9 15 14 13 16C9 20 -9 20 -13 16C-15 14 -16 9 -14 4Z" fill="#e0446a"/>'
    '<circle cx="-4" cy="11" r="2.4" fill="#ff9db4"/><circle cx="5" cy="13" r="1.8" fill="#ff9db4"/>'
    '<rect x="-8" y="-22" width="16" height="9" rx="3" fill="#9a6a3d"/>'
)
_ROPE = (
    '<g fill="none" stroke-linecap="round"><path d="M-4 15C-26 10 -20 -16 0 -16C20 -16 24 10 5 14C-10 16 -14 -4 0 -6'
    'C12 -7 12 6 2 6C8 14 14 18 21 17" stroke="#7d5428" stroke-width="8"/><path d="M-4 15C-26 10 -20 -16 0 -16'
    'C20 -16 24 10 5 14C-10 16 -14 -4 0 -6C12 -7 12 6 2 6C8 14 14 18 21 17" stroke="#d7a866" stroke-width="4.5"/></g>'
)
_LANTERN = (
    '<path d="M-8 -15C-8 -26 8 -26 8 -15" fill="none" stroke="#6c5a48" stroke-width="3"/>'
    '<path d="M-13 -15H13L10 -9H-10Z" fill="#6c5a48"/>'
    '<rect x="-11" y="-9" width="22" height="24" rx="3" fill="#ffe9a8"/>'
    '<path d="M0 -5C7 2 7 10 0 12C-7 10 -7 2 0 -5Z" fill="#f08a2c"/><path d="M0 2C3 6 3 10 0 11C-3 10 -3 6 0 2Z" '
    'fill="#ffe27a"/><path d="M-11 -9V15M11 -9V15" stroke="#6c5a48" stroke-width="3"/>'
    '<rect x="-14" y="14" width="28" height="7" rx="2" fill="#6c5a48"/>'
)
_COMPASS = (
    '<circle r="21" fill="#c8963c"/><circle r="16.5" fill="#fdf6e3"/><path d="M0 -14L5 0H-5Z" fill="#d8483f"/>'
    '<path d="M0 14L5 0H-5Z" fill="#3d4a63"/><circle r="2.6" fill="#c8963c"/>'
    '<path d="M-16 0H-12M16 0H12" stroke="#8a6a3a" stroke-width="2.4"/>'
)
_BOOTS = (
    '<path d="M-9 -21H9V4C15 6 21 9 21 17H-9Z" fill="#9b6234"/><path d="M-9 17H21V21H-9Z" fill="#5a371d"/>'
    '<rect x="-11" y="-22" width="22" height="8" rx="3" fill="#c78a52"/>'
    '<path d="M2 -8H9M2 -2H9" stroke="#f0d9b5" stroke-width="2.6" stroke-linecap="round"/>'
    '<path d="M-13 -5H-20M-13 3H-23M-13 11H-20" stroke="#8ecdf5" stroke-width="3" stroke-linecap="round"/>'
)
_SATCHEL = (
    '<path d="M-14 -4C-14 -26 14 -26 14 -4" fill="none" stroke="#6b4426" stroke-width="4"/>'
    '<rect x="-20" y="-7" width="40" height="28" rx="6" fill="#b5793f"/>'
    '<path d="M-20 -3C-20 -9 20 -9 20 -3L15 8C8 11 -8 11 -15 8Z" fill="#8d5729"/>'
    '<rect x="-4" y="4" width="8" height="10" rx="2" fill="#f0d27a"/>'
)
_BANDAGES = (
    '<rect x="-20" y="-13" width="40" height="28" rx="7" fill="#f7f1e4"/>'
    '<path d="M-20 -3H20M-20 6H20" stroke="#d9cfb8" '
    'stroke-width="2"/><path d="M-4 -9H4V-3H10V5H4V11H-4V5H-10V-3H-4Z" fill="#d8483f"/>'
)
_FELT_SHOES = (
    '<path d="M-22 2C-20 -8 -10 -8 -7 -2C-2 2 8 0 13 8C14 13 10 15 6 15H-18C-23 15 -23 8 -22 2Z" fill="#8b7bb8"/>'
    '<path d="M-12 -6C-10 -16 0 -16 3 -10C8 -6 18 -8 22 0C24 6 20 8 16 8C10 0 0 2 -6 -2C-8 -5 -10 -6 -12 -6Z" '
    'fill="#6c5c99"/><ellipse cx="-14" cy="1" rx="5" ry="3" fill="#4b3f70"/>'
)

ITEM_ART = (
    _die("#f2857d", "#d8483f", "#a82f2a"),
    _die("#8fc0f2", "#2f7fd6", "#1f5aa0"),
    _die("#ffe39a", "#e0b13f", "#ab7f21"),
    *(_HOURGLASS, _DAGGER, _SWORD, _SHIELD, _MAIL, _POTION, _ROPE, _LANTERN, _COMPASS, _BOOTS, _SATCHEL),
    *(_BANDAGES, _FELT_SHOES),
)

_IRON = (
    '<path d="M-22 14L-15 -4H9L4 14Z" fill="#8894a8"/><path d="M9 -4L22 6L17 18L4 14Z" fill="#5d687b"/>'
    '<path d="M-15 -4L-2 -13H17L9 -4Z" fill="#c3ccd9"/><path d="M9 -4L17 -13L22 6Z" fill="#76829a"/>'
)
_HERBS = (
    '<path d="M0 22C0 6 -2 -2 -2 -8" fill="none" stroke="#3b7a34" stroke-width="3.4" stroke-linecap="round"/>'
    '<path d="M-2 -6C-12 -10 -10 -20 -3 -24C5 -18 5 -10 -2 -6Z" fill="#7cc767"/>'
    '<path d="M0 6C-12 8 -21 2 -20 -8C-9 -9 -2 -4 0 6Z" fill="#57a84d"/>'
    '<path d="M0 12C2 0 10 -5 20 -3C20 8 12 14 0 12Z" fill="#6dbb5c"/>'
)
_GOLD = (
    '<ellipse cx="-6" cy="13" rx="14" ry="7" fill="#b9851f"/><ellipse cx="-6" cy="9" rx="14" ry="7" fill="#f0c446"/>'
    '<ellipse cx="8" cy="5" rx="14" ry="7" fill="#b9851f"/><ellipse cx="8" cy="1" rx="14" ry="7" fill="#f5cf5c"/>'
    '<ellipse cx="-3" cy="-6" rx="14" ry="7" fill="#b9851f"/><ellipse cx="-3" cy="-10" rx="14" ry="7" fill="#ffe083"/>'
    '<ellipse cx="-3" cy="-10" rx="8" ry="3.6" fill="none" stroke="#d49f2e" stroke-width="2"/>'
)
RESOURCE_ART = (_IRON, _HERBS, _GOLD)

MAP_ART = (
    '<path d="M-20 -16L-7 -20L7 -15L20 -19V15L7 19L-7 15L-20 19Z" fill="#f1dfae"/>'
    '<path d="M-7 -20L7 -15V19L-7 15Z" fill="#dfc88d"/><path d="M-15 9C-10 -4 -3 8 2 0C5 -5 8 -4 10 -4" fill="none" '
    'stroke="#8a5a34" stroke-width="3" stroke-dasharray="4 3"/>'
    '<path d="M9 -11L16 -4M16 -11L9 -4" stroke="#d8483f" stroke-width="3.6" stroke-linecap="round"/>'
)
HEART_ART = (
    '<path d="M0 20C-26 4 -22 -18 -10 -18C-4 -18 0 -13 0 -10C0 -13 4 -18 10 -18C22 -18 26 4 0 20Z" fill="#ff6b7d"/>'
)
PORTAL_ART = (
    '<ellipse rx="17" ry="23" fill="#5c3fa8"/><ellipse rx="12" ry="18" fill="#8f6bea"/>'
    '<ellipse rx="7" ry="12" fill="#c9b2ff"/><ellipse rx="3" ry="6" fill="#fff"/>'
)
CLAW_ART = (
    '<path d="M-17 20C-13 4 -12 -8 -14 -21C-5 -8 -5 6 -11 20ZM-3 21C1 5 2 -8 0 -23C9 -8 9 6 3 21Z'
    "M11 20C15 4 16 -8 14 -21"
    'C23 -8 23 6 17 20Z" fill="#d8483f"/>'
)
# By kind of chance card: portal, map piece, monster, resources.
CHANCE_ART = (PORTAL_ART, MAP_ART, CLAW_ART, _GOLD)
