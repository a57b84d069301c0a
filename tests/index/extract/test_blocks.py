"""Components written as one file, read whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.index.extract import blocks
from toolpost.index.model import Export, Extract


def component(name: str) -> Export:
    return Export("default", "component", name, "", 1)


def test_a_vue_file_is_a_component_by_the_name_of_its_file() -> None:
    text = b"""<template><p>export const no = 1</p></template>
<!-- <script>import 'never'</script> -->
<script lang="ts">
import { defineComponent } from 'vue';
export const SIZES = ['s', 'm'];
export default defineComponent({});
</script>
<script setup lang='ts'>
import Other from "./Other.vue";
</script>
"""
    assert blocks.extract("src/my-button.vue", text) == Extract(
        exports=(component("MyButton"), Export("SIZES", "const", "", "", 5)),
        imports=("vue", "./Other.vue"),
        marks=("calls:defineComponent", "vue"),
    )


def test_a_script_kept_elsewhere_is_an_import() -> None:
    text = b'<script src="./logic.ts" lang=ts></script>'
    assert blocks.extract("a/b_c.vue", text) == Extract(
        exports=(component("BC"),), imports=("./logic.ts",), marks=("vue",)
    )


@pytest.mark.parametrize("attribute", [b'context="module"', b"module"])
def test_what_sveltes_module_block_exports_can_be_imported_and_its_props_can_not(attribute: bytes) -> None:
    text = (
        b"<script "
        + attribute
        + b""" lang="ts">
  export const prerender = true;
</script>
<script>
  import { fade } from 'svelte/transition';
  export let title, size = 1;
</script>
<h1>{title}</h1>
"""
    )
    assert blocks.extract("Card.svelte", text) == Extract(
        exports=(component("Card"), Export("prerender", "const", "", "", 2)),
        imports=("svelte/transition",),
        marks=("prop:size", "prop:title", "svelte"),
    )


def test_astros_front_matter_exports_and_its_browser_scripts_do_not() -> None:
    text = b"""---
import Layout from '../Layout.astro';
export const prerender = false;
---
<Layout><p>text</p></Layout>
<script>import './client';
export const hidden = 1;
</script>
"""
    found = blocks.extract("pages/index.astro", text)
    assert found == Extract(
        exports=(component("Index"), Export("prerender", "const", "", "", 3)),
        imports=("../Layout.astro", "./client"),
        marks=("astro",),
    )


def test_a_file_without_a_script_is_a_component_too() -> None:
    assert blocks.extract("Plain.astro", b"<p>hi</p>") == Extract((component("Plain"),), (), ("astro",))
    assert blocks.extract(".vue", b"") == Extract((component(""),), (), ("vue",))


def test_a_script_that_does_not_parse_is_said_so() -> None:
    found = blocks.extract("X.vue", b"<script>\nexport const {a = ;\n</script>")
    assert (found.exports[0], found.whole) == (component("X"), False)


@given(
    st.sampled_from(["a.vue", "b.svelte", "c.astro"]),
    st.binary() | st.text("<script>=/-'\"! \n{}`").map(str.encode),
)
def test_no_bytes_ever_raise(path: str, text: bytes) -> None:
    assert isinstance(blocks.extract(path, text), Extract)
