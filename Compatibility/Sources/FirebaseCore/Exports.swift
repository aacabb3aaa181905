@_exported public import class Hearth.FirebaseApp
@_exported public import class Hearth.FirebaseOptions
