"""Tables of the contents while a graph is written: keys, shapes, layouts."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..format.varint import string, varint


@dataclass(frozen=True)
class Shape:
    """Keys (`None` without), kinds, and the name of the type."""

    keys: tuple[str | None, ...]
    kinds: tuple[int, ...]
    type_name: str = ""


@dataclass(frozen=True)
class Layout:
    """Keys and packed formats of the fields of a packed struct."""

    keys: tuple[str | None, ...]
    formats: tuple[int, ...]


@dataclass
class Tables:
    """Shapes and layouts in the order of first use, with numbers from 1."""

    shapes: dict[Shape, int] = field(default_factory=dict)
    layouts: dict[Layout, int] = field(default_factory=dict)

    def shape(self, shape: Shape) -> int:
        return self.shapes.setdefault(shape, len(self.shapes) + 1)

    def layout(self, layout: Layout) -> int:
        return self.layouts.setdefault(layout, len(self.layouts) + 1)

    def contents(self) -> bytes:
        """Keys, layouts if there are any, and shapes."""
        keys: dict[str, int] = {}
        for names in [shape.keys for shape in self.shapes] + [layout.keys for layout in self.layouts]:
            for key in names:
                if key is not None:
                    keys.setdefault(key, len(keys) + 1)
        parts = [varint(len(keys)), *map(string, keys)]
        if self.layouts:
            parts.append(varint(len(self.layouts)))
            for layout in self.layouts:
                parts.append(varint(len(layout.keys)))
                for key, number in zip(layout.keys, layout.formats):
                    parts.append(varint(keys[key] if key is not None else 0) + varint(number))
        parts.append(varint(len(self.shapes)))
        highest = 0
        for shape in self.shapes:
            numbers = [keys[key] if key is not None else 0 for key in shape.keys]
            is_new = bool(numbers) and numbers == list(range(highest + 1, highest + 1 + len(numbers)))
            parts.append(bytes((16 * is_new | 64 * bool(shape.type_name),)))
            if shape.type_name:
                parts.append(string(shape.type_name))
            parts.append(varint(len(numbers)))
            for number, kind in zip(numbers, shape.kinds):
                parts.append((b"" if is_new else varint(number)) + bytes((kind,)))
            highest = max(highest, *numbers, 0)
        return b"".join(parts)
