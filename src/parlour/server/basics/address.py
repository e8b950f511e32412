"""The address of a database, as it is set."""

from __future__ import annotations

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from parlour.server.basics.errors import BadConfiguration


def read(address: str) -> URL:
    """Its parts. What is wrong is said without any of it, for a password may be in it."""
    try:
        return make_url(address)
    except (ArgumentError, ValueError) as error:
        raise BadConfiguration(
            "the database address cannot be read: it should be such as sqlite:////var/lib/parlour.sqlite or "
            "postgresql://USER@HOST/NAME, with the password in database_password"
        ) from error
