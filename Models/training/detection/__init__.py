"""The steps of training the digits detector, one module per step."""
