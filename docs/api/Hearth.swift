// The public interface of Hearth. Written by scripts/api; do not edit.

@_exported import HearthApp
@_exported import HearthDelivery
@_exported import HearthEvents
@_exported import HearthModelSource
@_exported import HearthRemoteConfig

