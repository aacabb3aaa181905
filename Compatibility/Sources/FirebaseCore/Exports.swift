@_exported public import Foundation

@_exported public import class Hearth.FirebaseApp
@_exported public import class Hearth.FirebaseConfiguration
@_exported public import enum Hearth.FirebaseLoggerLevel
@_exported public import class Hearth.FirebaseOptions
@_exported public import func Hearth.FirebaseVersion
