"""`sandtable serve` for the tests: while they keep the machine busy, a save may take long to be
checked."""

from sandtable.cli import main
from sandtable.server import verifying

verifying.LOADING_SECONDS = 120
main()
