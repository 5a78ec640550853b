"""Playing over the network: a FastAPI application over an SQL database."""
