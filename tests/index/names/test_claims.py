from toolpost.index.model import Export
from toolpost.index.names.claims import DEFAULTED, OWN, PASSED_ON, claims


def test_a_file_owns_defaults_to_or_passes_on_its_names() -> None:
    exports = (
        Export("Button"),
        Export("default", local="Card"),
        Export("Menu", source="./Menu"),
        Export("List", origin="src/List.ts"),
        Export("default", local="Tabs", source="./Tabs"),
        Export("default"),
        Export("b", local="a"),
        Export(""),
    )
    assert claims(exports) == [
        ("Button", OWN),
        ("default", OWN),
        ("Card", DEFAULTED),
        ("Menu", PASSED_ON),
        ("List", PASSED_ON),
        ("default", PASSED_ON),
        ("Tabs", PASSED_ON),
        ("default", OWN),
        ("b", OWN),
    ]
