"""The monsters as drawings, each in a square of 48 around the origin, in the order of the deck."""

from __future__ import annotations

_EYES = '<circle cx="-{0}" cy="{1}" r="{2}" fill="{3}"/><circle cx="{0}" cy="{1}" r="{2}" fill="{3}"/>'


def _eyes(apart: float, y: float, size: float, colour: str, pupil: str = "#15111a") -> str:
    return _EYES.format(apart, y, size, colour) + _EYES.format(apart, y + size * 0.15, size * 0.45, pupil)


_RAT = (
    '<path d="M12 10C24 14 25 2 19 -4" fill="none" stroke="#d9a09a" stroke-width="3" stroke-linecap="round"/>'
    '<circle cx="-12" cy="-11" r="8" fill="#7d6a60"/><circle cx="8" cy="-11" r="8" fill="#7d6a60"/>'
    '<circle cx="-12" cy="-11" r="4.5" fill="#d9a09a"/><circle cx="8" cy="-11" r="4.5" fill="#d9a09a"/>'
    '<path d="M-17 -3C-16 -14 12 -14 14 -3C15 8 6 19 -2 19C-10 19 -18 8 -17 -3Z" fill="#958074"/>'
    '<path d="M-9 9C-7 5 3 5 5 9C5 15 1 19 -2 19C-5 19 -9 15 -9 9Z" fill="#b9a598"/>'
    '<g transform="translate(-2 0)">' + _eyes(7, -1, 3.4, "#fff6e6") + "</g>"
    '<circle cx="-2" cy="15" r="3.4" fill="#e58f8a"/>'
    '<path d="M-9 13L-20 10M-9 16L-20 18M5 13L16 10M5 16L16 18" stroke="#4c3f39" stroke-width="1.3"/>'
)
_BAT = (
    '<path d="M0 -2C-8 -14 -18 -15 -24 -10C-20 -7 -21 -1 -22 6C-18 3 -14 4 -13 10C-9 6 -5 7 0 15'
    'C5 7 9 6 13 10C14 4 18 3 22 6C21 -1 20 -7 24 -10C18 -15 8 -14 0 -2Z" fill="#5b3f7d"/>'
    '<path d="M-8 -3L-16 6M8 -3L16 6" stroke="#3f2a5a" stroke-width="2" stroke-linecap="round"/>'
    '<path d="M-8 -18L-3 -11H3L8 -18L9 -3C9 5 -9 5 -9 -3Z" fill="#74529c"/>' + _eyes(4, -5, 3.2, "#ffe27a") + ""
    '<path d="M-3 2L-1.5 6L0 2L1.5 6L3 2Z" fill="#fff"/>'
)
_SPIDER = (
    '<path d="M-6 0L-16 -10L-22 -4M-6 3L-18 1L-23 9M-6 6L-16 11L-19 20M-5 9L-10 17L-9 22'
    'M6 0L16 -10L22 -4M6 3L18 1L23 9M6 6L16 11L19 20M5 9L10 17L9 22" fill="none" stroke="#241d2c" '
    'stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>'
    '<circle cy="-9" r="12" fill="#3a2f49"/><path d="M0 -18L4 -10L0 -3L-4 -10Z" fill="#d8483f"/>'
    '<circle cy="7" r="9" fill="#4b3d5d"/>' + _eyes(4, 6, 2.8, "#ff7468") + ""
    '<circle cx="-1.8" cy="1.5" r="1.5" fill="#ff7468"/><circle cx="1.8" cy="1.5" r="1.5" fill="#ff7468"/>'
    '<path d="M-3 13L-2 18M3 13L2 18" stroke="#fff" stroke-width="2" stroke-linecap="round"/>'
)
_GOBLIN = (
    '<path d="M-12 -4L-25 -13L-20 3L-12 7ZM12 -4L25 -13L20 3L12 7Z" fill="#5f9440"/>'
    '<path d="M-15 -4C-15 -22 15 -22 15 -4C15 10 8 20 0 20C-8 20 -15 10 -15 -4Z" fill="#7cb552"/>'
    '<path d="M-15 -7C-13 -22 13 -22 15 -7C6 -13 -6 -13 -15 -7Z" fill="#7a4b2b"/>'
    '<circle cy="-15" r="3" fill="#e3b94a"/>' + _eyes(6.5, -2, 4, "#ffec8b") + ""
    '<path d="M0 0L4 7H-4Z" fill="#5f9440"/>'
    '<path d="M-8 11C-3 14 3 14 8 11C6 17 -6 17 -8 11Z" fill="#3a1d1d"/><path d="M-5 12L-3 16L-1 12.6Z" fill="#fff"/>'
)
_WOLF = (
    '<path d="M-17 -22L-4 -11L-15 -2ZM17 -22L4 -11L15 -2Z" fill="#5d6779"/>'
    '<path d="M-14 -16L-7 -10L-12 -6ZM14 -16L7 -10L12 -6Z" fill="#c98e8a"/>'
    '<path d="M0 -14C12 -14 17 -6 20 4L12 6L10 12L4 20H-4L-10 12L-12 6L-20 4C-17 -6 -12 -14 0 -14Z" fill="#7d889b"/>'
    '<path d="M-6 4C-4 0 4 0 6 4L5 17C3 21 -3 21 -5 17Z" fill="#dfe4ec"/>'
    '<path d="M-11 -5L-4 -2L-9 1ZM11 -5L4 -2L9 1Z" fill="#ffd75e"/>'
    '<path d="M-4 6H4L0 11Z" fill="#20222b"/><path d="M-5 15L-3 20L-1 15M5 15L3 20L1 15" fill="#fff" stroke="#20222b"/>'
)
_SKELETON = (
    '<path d="M-17 -5C-17 -24 17 -24 17 -5C17 2 13 6 11 7V16C11 19 -11 19 -11 16V7C-13 6 -17 2 -17 -5Z" '
    'fill="#efe8d6"/><path d="M-17 -5C-17 -24 0 -22 4 -19C-8 -18 -12 -8 -11 6C-14 5 -17 2 -17 -5Z" fill="#fffaf0"/>'
    '<ellipse cx="-7" cy="-3" rx="5.4" ry="6" fill="#231c26"/><ellipse cx="7" cy="-3" rx="5.4" ry="6" fill="#231c26"/>'
    '<circle cx="-6" cy="-2" r="1.9" fill="#7fd6ff"/><circle cx="8" cy="-2" r="1.9" fill="#7fd6ff"/>'
    '<path d="M0 3L3 8H-3Z" fill="#231c26"/>'
    '<path d="M-7 11V18M-2.5 11V18.5M2.5 11V18.5M7 11V18" stroke="#8c8270" stroke-width="1.8"/>'
)
_GHOUL = (
    '<path d="M-17 20C-20 -2 -16 -22 0 -22C16 -22 20 -2 17 20L11 14L6 21L0 15L-6 21L-11 14Z" fill="#8fb8a5"/>'
    '<path d="M-12 -8C-10 -20 10 -20 12 -8C13 4 8 13 0 13C-8 13 -13 4 -12 -8Z" fill="#c7dccb"/>'
    '<path d="M-9 -8L-2 -4L-4 1C-8 2 -10 -3 -9 -8ZM9 -8L2 -4L4 1C8 2 10 -3 9 -8Z" fill="#27302f"/>'
    '<circle cx="-5" cy="-3" r="1.8" fill="#ff5d5d"/><circle cx="5" cy="-3" r="1.8" fill="#ff5d5d"/>'
    '<path d="M-6 6C-3 3 3 3 6 6L4 11L2 8L0 12L-2 8L-4 11Z" fill="#4d1e25"/>'
)
_ORC = (
    '<path d="M-18 0C-18 -16 18 -16 18 0C18 14 10 21 0 21C-10 21 -18 14 -18 0Z" fill="#4f7a4c"/>'
    '<path d="M-18 -3C-19 -25 19 -25 18 -3L12 -6H-12Z" fill="#5b606e"/><path d="M-3 -22H3V-5H-3Z" fill="#8e95a6"/>'
    '<path d="M-17 -12L-25 -20L-21 -6ZM17 -12L25 -20L21 -6Z" fill="#e8dcc0"/>' + _eyes(7, 0, 3.3, "#ffcf4a") + ""
    '<path d="M-12 -3L-3 0M12 -3L3 0" stroke="#2f4b2e" stroke-width="2.6" stroke-linecap="round"/>'
    '<path d="M-10 10C-4 8 4 8 10 10C8 17 -8 17 -10 10Z" fill="#2e1618"/>'
    '<path d="M-9 13L-10 3L-5 12ZM9 13L10 3L5 12Z" fill="#fffdf2"/>'
)
_TROLL = (
    '<path d="M-11 -14L-17 -24L-5 -19ZM11 -14L17 -24L5 -19Z" fill="#e8dcc0"/>'
    '<path d="M-20 -2C-24 -4 -24 6 -19 7ZM20 -2C24 -4 24 6 19 7Z" fill="#4f7f96"/>'
    '<path d="M-19 2C-19 -22 19 -22 19 2C19 15 12 22 0 22C-12 22 -19 15 -19 2Z" fill="#639bb4"/>'
    '<path d="M-12 -15C-6 -23 6 -23 12 -15C5 -18 -5 -18 -12 -15Z" fill="#2f4b5a"/>' + _eyes(8, -4, 3.4, "#fff3c0") + ""
    '<path d="M-14 -9L-4 -7M14 -9L4 -7" stroke="#2f4b5a" stroke-width="3" stroke-linecap="round"/>'
    '<ellipse cy="4" rx="6" ry="7" fill="#7fb5cc"/>'
    '<path d="M-11 13H11C9 19 -9 19 -11 13Z" fill="#25333b"/><path d="M-8 13L-6 6L-3 13ZM8 13L6 6L3 13Z" fill="#fff"/>'
)
_WRAITH = (
    '<path d="M0 -24C16 -22 19 -2 20 22L13 16L8 23L0 17L-8 23L-13 16L-20 22C-19 -2 -16 -22 0 -24Z" fill="#3b2a5c"/>'
    '<path d="M0 -24C16 -22 19 -2 20 22L13 16C14 -2 10 -18 0 -24Z" fill="#523a80"/>'
    '<path d="M0 -16C9 -14 11 -4 9 6C6 11 -6 11 -9 6C-11 -4 -9 -14 0 -16Z" fill="#0d0914"/>'
    '<path d="M-8 -5L-1 -2L-5 1ZM8 -5L1 -2L5 1Z" fill="#8ff5ff"/>'
    '<path d="M-14 12C-20 6 -24 8 -23 14M14 12C20 6 24 8 23 14" fill="none" stroke="#bfb2dd" stroke-width="2.6" '
    'stroke-linecap="round"/>'
)
_HYDRA = (
    '<path d="M-6 22C-6 8 -14 8 -16 -4M6 22C6 8 14 8 16 -4M0 22V-10" fill="none" stroke="#2f7d5f" stroke-width="8" '
    'stroke-linecap="round"/><path d="M-14 23C-12 13 12 13 14 23Z" fill="#276b51"/>'
    '<path d="M-9 -14C-9 -25 9 -25 9 -14L4 -3H-4Z" fill="#45a67f"/>'
    '<path d="M-24 -6C-25 -16 -10 -17 -9 -7L-14 3H-20ZM24 -6C25 -16 10 -17 9 -7L14 3H20Z" fill="#3b9470"/>'
    '<path d="M-2.5 -3L0 3L2.5 -3ZM-19 3L-17 8L-15 3ZM19 3L17 8L15 3Z" fill="#e8504a"/>'
    + _eyes(4, -14, 2.6, "#ffe27a")
    + '<circle cx="-19" cy="-7" r="2" fill="#ffe27a"/><circle cx="-14" cy="-7" r="2" fill="#ffe27a"/>'
    '<circle cx="19" cy="-7" r="2" fill="#ffe27a"/><circle cx="14" cy="-7" r="2" fill="#ffe27a"/>'
)
_MINOTAUR = (
    '<path d="M-10 -10C-22 -8 -25 -18 -20 -25C-20 -17 -14 -16 -8 -17ZM10 -10C22 -8 25 -18 20 -25C20 -17 14 -16 8 -17Z" '
    'fill="#f3e9d0"/><path d="M-14 -7L-23 -4L-15 3ZM14 -7L23 -4L15 3Z" fill="#6a3c22"/>'
    '<path d="M-14 -8C-14 -20 14 -20 14 -8C14 2 11 8 10 14C8 22 -8 22 -10 14C-11 8 -14 2 -14 -8Z" fill="#8a5230"/>'
    '<path d="M-8 -17C-4 -9 4 -9 8 -17C4 -21 -4 -21 -8 -17Z" fill="#4c2916"/>'
    '<path d="M-11 -7L-3 -3L-8 0ZM11 -7L3 -3L8 0Z" fill="#ff5a3d"/>'
    '<ellipse cy="13" rx="10" ry="8" fill="#c79a74"/><circle cx="-4" cy="11" r="2" fill="#3a1d10"/>'
    '<circle cx="4" cy="11" r="2" fill="#3a1d10"/>'
    '<path d="M-3.5 14A4 4 0 1 0 3.5 14" fill="none" stroke="#f2c14a" stroke-width="2.4"/>'
)

BEASTS = (_RAT, _BAT, _SPIDER, _GOBLIN, _WOLF, _SKELETON, _GHOUL, _ORC, _TROLL, _WRAITH, _HYDRA, _MINOTAUR)
