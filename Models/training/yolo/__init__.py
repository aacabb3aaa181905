"""The steps of training the digits detector without anchors, one module per step."""
