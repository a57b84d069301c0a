"""OpenAPI documents."""

import pytest
from msgspec import UNSET

from toolpost.convert import Card, Catalogue, Failure, convert, openapi, read, write
from toolpost.convert.check import check
from toolpost.convert.wire import JsonObject

NODE = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}
DOCUMENT: JsonObject = {
    "openapi": "3.0.3",
    "info": {"title": "Pets", "version": "1.2"},
    "servers": [{"url": "https://example.com"}],
    "security": [{"key": []}],
    "paths": {
        "/pets/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "get": {
                "operationId": "getPet",
                "summary": "A pet",
                "tags": ["pets"],
                "security": [{"oauth": ["read", "list"]}],
                "responses": {
                    "200": {
                        "description": "The pet",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}},
                    },
                    "404": {"description": "No such pet"},
                    "default": {"$ref": "#/components/responses/Bad"},
                },
            },
            "put": {
                "parameters": [
                    {"name": "id", "in": "query", "schema": {"type": "integer", "nullable": True}}
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
                                "required": ["name"],
                            }
                        }
                    },
                },
                "responses": {"204": {"description": "Kept"}},
            },
            "patch": {
                "operationId": "patchPet",
                "requestBody": {"content": {"application/json": {"schema": {"type": "array", "items": {}}}}},
                "responses": {"200": {"description": "Changed"}},
            },
        },
        "/pets": {"$ref": "https://example.com/pets"},
    },
    "components": {
        "schemas": {"Node": NODE},
        "parameters": {
            "Id": {
                "name": "id",
                "in": "path",
                "required": True,
                "schema": {"type": "string"},
                "description": "Its id",
            }
        },
        "responses": {"Bad": {"description": "Bad"}},
    },
}


def card_called(name: str) -> Card:
    return next(card for card in read(DOCUMENT).cards if card.name == name)


def at_place(path: str, method: str) -> JsonObject:
    return {"path": path, "method": method}


def test_an_operation_becomes_a_card() -> None:
    card = card_called("getPet")
    assert (card.title, card.tags, card.success) == ("A pet", ["pets"], "The pet")
    assert card.input_schema == {
        "type": "object",
        "properties": {"id": {"type": "string", "description": "Its id", "x-in": "path"}},
        "required": ["id"],
    }
    assert card.output_schema == {
        "$ref": "#/$defs/Node",
        "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
    }
    assert card.failures == [Failure("404", "No such pet"), Failure("default", "Bad")]
    assert card.prerequisites == {"permissions": ["read", "list"]}


def test_an_operation_without_an_id_is_named_by_its_method_and_path() -> None:
    card = card_called("put_pets_id")
    assert card.prerequisites == {"permissions": ["key"]}
    assert card.input_schema == {
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "Its id", "x-in": "path"},
            "id_query": {"type": ["integer", "null"], "x-in": "query", "x-name": "id"},
            "id_body": {"type": "string", "x-in": "body", "x-name": "id"},
            "name": {"type": "string", "x-in": "body"},
        },
        "required": ["id", "name"],
    }


def test_a_body_that_is_no_object_is_one_property() -> None:
    schema = card_called("patchPet").input_schema
    assert schema is not UNSET
    assert schema["properties"] == {
        "id": {"type": "string", "description": "Its id", "x-in": "path"},
        "body": {"type": "array", "items": {}, "x-in": "body", "x-whole": True},
    }


@pytest.mark.parametrize("via", ["openapi", "mcp", "1", "functions"])
def test_a_document_comes_back_with_its_references(via: str) -> None:
    assert check(DOCUMENT, "openapi") == []
    there = convert(DOCUMENT, via).value
    assert check(there, via) == []
    assert convert(there, "openapi-3.0", via).value == DOCUMENT


def test_3_0_becomes_3_1_with_its_paths_parameters_and_head() -> None:
    document = convert(DOCUMENT, "openapi").value
    assert isinstance(document, dict)
    assert (document["openapi"], document["info"]) == ("3.1.0", DOCUMENT["info"])
    put = document["paths"]["/pets/{id}"]["put"]
    assert [(one["name"], one["in"]) for one in put["parameters"]] == [("id", "path"), ("id", "query")]
    assert put["parameters"][1]["schema"] == {"type": ["integer", "null"]}
    body = put["requestBody"]["content"]["application/json"]["schema"]
    assert body == {
        "type": "object",
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
        "required": ["name"],
    }
    patch = document["paths"]["/pets/{id}"]["patch"]["requestBody"]["content"]["application/json"]["schema"]
    assert patch == {"type": "array", "items": {}}


def test_a_simple_operation_needs_nothing_beside_it() -> None:
    card = Card(
        "a",
        title="A",
        description="Does a",
        input_schema={"type": "object"},
        success="ok",
        failures=[Failure("404", "no")],
    )
    value = write(Catalogue([card]), "openapi")
    assert isinstance(value, dict)
    assert value["paths"]["/a"]["post"] == {
        "operationId": "a",
        "summary": "A",
        "description": "Does a",
        "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}},
        "responses": {"200": {"description": "ok"}, "404": {"description": "no"}},
    }


def test_local_references_get_a_base_of_their_own() -> None:
    schema: JsonObject = {"type": "object", "$defs": {"n": {}}, "properties": {"a": {"$ref": "#/$defs/n"}}}
    catalogue = Catalogue([Card("a/b", input_schema=schema)])
    value = write(catalogue, "openapi")
    assert isinstance(value, dict)
    written = value["paths"]["/a%2Fb"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert written["$id"] == "urn:toolpost:a%2Fb"
    assert read(value, "openapi") == catalogue


def test_lifted_definitions_go_with_each_part_that_needs_them() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {
            "q": {"$ref": "#/$defs/n", "x-in": "query"},
            "b": {"$ref": "#/$defs/n", "x-in": "body"},
        },
        "$defs": {"n": {"type": "string"}},
    }
    catalogue = Catalogue([Card("a", input_schema=schema)])
    value = write(catalogue, "openapi")
    assert isinstance(value, dict)
    operation = value["paths"]["/a"]["post"]
    assert operation["parameters"][0]["schema"]["$defs"] == {"n": {"type": "string"}}
    assert operation["requestBody"]["content"]["application/json"]["schema"]["$defs"] == {
        "n": {"type": "string"}
    }
    assert read(value, "openapi") == catalogue


def test_a_path_parameter_without_a_place_in_the_path_is_a_query() -> None:
    card = Card("a", input_schema={"type": "object", "properties": {"id": {"x-in": "path"}}})
    value = write(Catalogue([card]), "openapi")
    assert isinstance(value, dict)
    assert value["paths"]["/a"]["post"]["parameters"] == [{"name": "id", "in": "query", "schema": {}}]


def test_two_cards_in_one_place_move_apart_and_come_back_in_order() -> None:
    place = {"openapi": at_place("/x", "get")}
    other = {"openapi": at_place("/y", "get")}
    catalogue = Catalogue([Card("a", extra=place), Card("b", extra=other), Card("c", extra=place)])
    value = write(catalogue, "openapi")
    assert isinstance(value, dict)
    assert list(value["paths"]) == ["/x", "/y", "/x~"]
    assert read(value, "openapi") == catalogue


def test_cards_that_share_a_path_come_back_in_their_own_order() -> None:
    cards = [
        Card(name, extra={"openapi": at_place(path, method)})
        for name, path, method in (("a", "/x", "get"), ("b", "/y", "get"), ("c", "/x", "put"))
    ]
    value = openapi.write(Catalogue(cards))
    assert [card.name for card in openapi.read(value).cards] == ["a", "b", "c"]


def test_one_tool_gives_its_document_its_title_and_version() -> None:
    value = write(Catalogue([Card("a", title="A", version="3")]), "openapi")
    assert isinstance(value, dict)
    assert value["info"] == {"title": "A", "version": "3"}


def test_a_parameter_may_hold_its_schema_in_content() -> None:
    parameter = {"name": "f", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}}
    operation = {"operationId": "a", "parameters": [parameter], "responses": {"3XX": {"description": "else"}}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"get": operation}},
    }
    (card,) = read(document).cards
    assert card.input_schema == {"type": "object", "properties": {"f": {"type": "object", "x-in": "query"}}}
    assert write(read(document), "openapi") == document
