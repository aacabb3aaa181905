// An app names its model (CustomLocalModel, CustomRemoteModel) with this one import.
@_exported public import HearthModelSource
