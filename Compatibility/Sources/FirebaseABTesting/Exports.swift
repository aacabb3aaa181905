@_exported public import Foundation

@_exported public import class HearthRemoteConfig.ExperimentController
@_exported public import class HearthRemoteConfig.LifecycleEvents
