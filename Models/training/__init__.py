"""The steps of training the digits labeler, one module per step."""
