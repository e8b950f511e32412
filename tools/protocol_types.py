"""Write web/src/protocol.ts: the structs of the protocol as TypeScript types. ``make protocol`` runs it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, get_args

import msgspec
from msgspec import Struct

from parlour.engine import explanation, glance, picture
from parlour.protocol import commands, fields, messages, views

MODULES: list[ModuleType] = [fields, picture, explanation, glance, views, commands, messages]  # where the structs are

TARGET = Path(__file__).parents[1] / "web" / "src" / "protocol.ts"
WIDTH = 120
HEAD = "/** What goes over the wire. Made from the server's structs by `make protocol`: change those, not this. */\n"
PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}

Schema = dict[str, Any]


def typescript() -> str:
    """The whole file."""
    structs, unions = list(_structs()), dict(_unions())
    _, components = msgspec.json.schema_components(structs, ref_template="{name}")
    told = _told(components, {struct.__name__: struct for struct in structs})
    parts = [_interface(name, schema, told) for name, schema in components.items()]
    parts += [_alias(name, [member.__name__ for member in get_args(union)]) for name, union in unions.items()]
    return HEAD + "".join(f"\n{part}" for part in parts)


def _structs() -> Iterator[type[Struct]]:
    """The structs of all modules, in their order, without those that are only there to be built on."""
    found = [
        value
        for module in MODULES
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, Struct) and value.__module__ == module.__name__
    ]
    return (struct for struct in found if not struct.__subclasses__())


def _unions() -> Iterator[tuple[str, UnionType]]:
    """The unions of structs that have a name."""
    for module in MODULES:
        for name, value in vars(module).items():
            is_union = isinstance(value, UnionType) and not name.startswith("_")
            if is_union and all(inspect.isclass(one) and issubclass(one, Struct) for one in get_args(value)):
                yield name, value


def _told(components: dict[str, Schema], structs: dict[str, type[Struct]]) -> set[str]:
    """The structs that the server sends whole: in these, a field with a default is there, too.

    What it reads is strict about other fields; and some of what it sends leaves defaults out.
    """
    found: set[str] = set()
    waiting = [name for name, schema in components.items() if schema.get("additionalProperties") is not False]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _references(components[name])
    return {name for name in found if name not in structs or not structs[name].__struct_config__.omit_defaults}


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"]
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _references(part)


def _interface(name: str, schema: Schema, told: set[str]) -> str:
    required = set(schema.get("required", ()))
    lines = [
        f"  {field}{'' if field in required or (name in told and 'default' in what) else '?'}: {_type(what)};\n"
        for field, what in schema["properties"].items()
    ]
    return f"{_comment(schema.get('description', ''))}export interface {name} {{\n{''.join(lines)}}}\n"


def _comment(text: str) -> str:
    lines = [line.strip() for line in text.replace("``", "`").splitlines()]
    if not text:
        return ""
    return (
        f"/** {lines[0]} */\n"
        if len(lines) == 1
        else "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"
    )


def _alias(name: str, members: list[str]) -> str:
    line = f"export type {name} = {' | '.join(members)};\n"
    if len(line) <= WIDTH:
        return line
    return f"export type {name} =\n" + "".join(f"  | {member}\n" for member in members).rstrip("\n") + ";\n"


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": name}:
            return str(name)
        case {"enum": values}:
            return _any_of(msgspec.json.encode(value).decode() for value in values)
        case {"anyOf": kinds}:
            return _any_of(_type(kind) for kind in kinds)
        case {"type": "array", "prefixItems": items}:
            return f"[{', '.join(map(_type, items))}]"
        case {"type": "array"}:
            item = _type(schema.get("items", {}))
            return f"({item})[]" if "|" in item else f"{item}[]"
        case {"type": "object"}:
            values = schema.get("additionalProperties", {})
            return f"Record<string, {_type(values)}>"
        case {"type": kind}:
            return PLAIN[kind]
    return "unknown"


def _any_of(types: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(types))


if __name__ == "__main__":
    TARGET.write_text(typescript(), encoding="utf-8")
    print(f"wrote {TARGET.name}")
