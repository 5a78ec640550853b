"""`sandtable serve` for the tests: with the toy game, which has what no other game has, and with
patience, as a save may take long to be checked while tests keep the machine busy."""

from sandtable.cli import main
from sandtable.kernel import registry
from sandtable.server import verifying
from tests.kernel.toy import ToyRules

registry.add(ToyRules())
verifying.LOADING_SECONDS = 120
main()
