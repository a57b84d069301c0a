"""Sorted texts and numbers in sections, found by halving, each byte checked before it is used."""

from bisect import bisect_left

from toolpost.index.disk.sections import Pages, Sections
from toolpost.index.limits import NAME_HELD, NAME_STRIDE

_ERRORS = "surrogatepass"


class Numbers:
    """A section of 32-bit numbers of which only what is used is checked."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.view = pages.view.cast("I")

    def __len__(self) -> int:
        return len(self.view)

    def __getitem__(self, at: int) -> int:
        if not self.pages.whole:
            self.pages.check(4 * at, 4 * at + 4)
        return self.view[at]

    def slice(self, begin: int, end: int) -> list[int]:
        if not self.pages.whole:
            self.pages.check(4 * begin, 4 * end)
        return self.view[begin:end].tolist()


class Entries:
    """A part of a section, in ascending order. It costs nothing before it is looked into."""

    def __init__(self, numbers: Numbers, begin: int, end: int) -> None:
        self.numbers = numbers
        self.begin = begin
        self.end = end
        self.checked = numbers.pages.whole

    def __len__(self) -> int:
        return self.end - self.begin

    def place(self, number: int) -> int:
        """How many are less."""
        low, high, numbers = self.begin, self.end, self.numbers
        if self.checked:
            return bisect_left(numbers.view, number, low, high) - self.begin
        while low < high:
            middle = (low + high) >> 1
            if numbers[middle] < number:
                low = middle + 1
            else:
                high = middle
        return low - self.begin

    def between(self, least: int, beyond: int) -> "Entries":
        part = Entries(self.numbers, self.begin + self.place(least), self.begin + self.place(beyond))
        part.checked = self.checked
        return part

    def take(self, begin: int, count: int) -> list[int]:
        begin = min(self.begin + begin, self.end)
        return self.numbers.slice(begin, min(begin + count, self.end))

    def __contains__(self, number: int) -> bool:
        if self.checked:  # called for every file that is gone: half the time of the general way
            at = bisect_left(self.numbers.view, number, self.begin, self.end)
            return at < self.end and self.numbers.view[at] == number
        at = self.begin + self.place(number)
        return at < self.end and self.numbers[at] == number

    def check(self) -> None:
        """All of it at once: then every place is found at the speed of C."""
        self.numbers.pages.check(4 * self.begin, 4 * self.end)
        self.checked = True


class Texts:
    """Sorted texts, each with a row of numbers, the first of which says where the text begins.

    Where they are many, every so many of them are heads, which are checked as a whole when first used; some
    thousand of those are held in memory. After them a search needs a page of rows and one of texts, not twenty.
    """

    def __init__(self, sections: Sections, prefix: str, width: int) -> None:
        self._text = sections.pages(f"{prefix}_text")
        self._rows = Numbers(sections.pages(f"{prefix}_rows"))
        self._width = width
        self._heads = Heads(sections, prefix) if f"{prefix}_heads" in sections else None
        self.count = len(self._rows) // width - 1

    def at(self, number: int) -> str:
        return self._bytes(number).decode("utf-8", _ERRORS)

    def row(self, number: int, column: int) -> int:
        return self._rows[number * self._width + column]

    def rows(self, number: int) -> list[int]:
        """Its row and the next one."""
        begin = number * self._width
        return self._rows.slice(begin, begin + 2 * self._width)

    def find(self, wanted: str, low: int = 0, high: int | None = None) -> int:
        """Its number, or -1."""
        sought = encoded(wanted)
        high = self.count if high is None else high
        at = low if high - low == 1 else self._place(sought, low, high)
        return at if at < high and self._bytes(at) == sought else -1

    def beginning(self, prefix: str, low: int = 0, high: int | None = None) -> tuple[int, int]:
        """The texts that begin so, as a range."""
        sought = encoded(prefix)
        high = self.count if high is None else high
        begin = self._place(sought, low, high)
        return begin, self._place(sought + b"\xff", begin, high)

    def _bytes(self, number: int) -> bytes:
        begin, end = number * self._width, (number + 1) * self._width
        rows = self._rows
        if not rows.pages.whole:
            rows.pages.check(4 * begin, 4 * end + 4)
        return self._text.read(rows.view[begin], rows.view[end])

    def _place(self, sought: bytes, low: int, high: int) -> int:
        """The first text from `low` to before `high` that is not less."""
        if self._heads is not None and high - low > NAME_STRIDE:
            head = self._heads.less(sought)
            low = min(high, max(low, (head - 1) * NAME_STRIDE + 1))
            high = max(low, min(high, head * NAME_STRIDE))
        if low >= high:
            return low
        rows, width = self._rows.view, self._width
        self._rows.pages.check(4 * width * low, 4 * width * high + 4)
        self._text.check(rows[low * width], rows[high * width])
        return _halved(self._text.view, (rows, width), sought, low, high)


class Heads:
    """Every so many of a table's texts."""

    def __init__(self, sections: Sections, prefix: str) -> None:
        self._text = sections.array(f"{prefix}_heads")
        self._begins = sections.array(f"{prefix}_head_rows", "I")
        self._count = len(self._begins) - 1
        self._step = -(-self._count // NAME_HELD) or 1
        self._held = [
            self._text[self._begins[at] : self._begins[at + 1]].tobytes()
            for at in range(0, self._count, self._step)
        ]

    def less(self, sought: bytes) -> int:
        """How many are less."""
        after = bisect_left(self._held, sought)
        low, high = max((after - 1) * self._step + 1, 0), min(after * self._step, self._count)
        return _halved(self._text, (self._begins, 1), sought, low, high)


def _halved(text: memoryview, rows: tuple[memoryview, int], sought: bytes, low: int, high: int) -> int:
    begins, width = rows
    while low < high:
        middle = (low + high) >> 1
        at = middle * width
        if text[begins[at] : begins[at + width]].tobytes() < sought:
            low = middle + 1
        else:
            high = middle
    return low


def encoded(text: str) -> bytes:
    return text.encode("utf-8", _ERRORS)
