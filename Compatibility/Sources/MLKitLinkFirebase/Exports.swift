@_exported public import class Hearth.FirebaseModelSource
