// With this one import, an app can also name its model (CustomLocalModel, CustomRemoteModel).
@_exported public import HearthModelSource
