// Never TensorFlowLite or MLKit: names as common as `Delegate`, `Object` and `Runtime` would reach every file of an app.
@_exported public import FirebaseAnalytics
@_exported public import FirebaseCore
@_exported public import FirebaseInstallations
@_exported public import FirebaseMLCommon
@_exported public import FirebaseMLModelDownloader
@_exported public import FirebaseMLModelInterpreter
@_exported public import FirebaseRemoteConfig
@_exported public import Foundation
@_exported public import HearthPlatform
