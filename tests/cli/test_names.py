"""Names are forgiving, and say so when they are not understood."""

import pytest

import sandtable
from sandtable.cli.errors import Unclear
from sandtable.cli.names import Lexicon, Names, simple
from tests.cli.typist import Typist


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Typist(sandtable.new("aa1942", seed=1)).lexicon


@pytest.mark.parametrize(
    ("typed", "space"),
    [
        ("ukraine_ssr", "ukraine_ssr"),
        ("Ukraine S.S.R.", "ukraine_ssr"),
        ("UKR", "ukraine_ssr"),
        ("w russia", "west_russia"),
        ("russia", "russia"),
        ("uk", "united_kingdom"),
        ("eus", "eastern_united_states"),
        ("sz5", "sz5"),
        ("SZ 5", "sz5"),
        ("sea zone 5", "sz5"),
        ("5", "sz5"),
        ("south africa", "union_of_south_africa"),
        ("moscow", "russia"),
        ("french indo-china thailand", "french_indo_china_thailand"),
    ],
)
def test_a_space_has_many_names(lexicon: Lexicon, typed: str, space: str) -> None:
    assert lexicon.spaces.find(typed) == space


def test_every_space_is_found_by_id_and_name(lexicon: Lexicon) -> None:
    names = sandtable.new("aa1942", seed=1).state.facts.spaces
    for id, space in names.items():
        assert lexicon.spaces.find(id) == lexicon.spaces.find(space.name) == id


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("western", "'western' could be Western Australia, Western Canada or Western United St"),
        ("ukrane", "There is no space 'ukrane'. Did you mean Ukraine S.S.R.?"),
        ("xyzzy", "There is no space 'xyzzy'."),
        ("  ", "Name a space."),
    ],
)
def test_an_unclear_space_is_explained(lexicon: Lexicon, typed: str, said: str) -> None:
    with pytest.raises(Unclear) as error:
        lexicon.spaces.find(typed)
    assert str(error.value).startswith(said)


def test_an_exact_name_goes_before_a_beginning() -> None:
    names = Names("town", {"york": ["York"], "yorktown": ["Yorktown"]})
    assert names.find("york") == "york"
    assert names.find("yorkt") == "yorktown"
    assert "leeds" not in names


def test_simple_spelling() -> None:
    assert simple("Trans-Jordan") == simple("trans_jordan") == "trans jordan"
