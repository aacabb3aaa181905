import Foundation
import Hearth

// A program that does everything at its top level, as command-line programs do. The end-to-end tests run it: it prints what it reads
// right after each call.

FirebaseApp.configure()
let config = RemoteConfig.remoteConfig()
config.setDefaults(["greeting": "default" as NSObject])
try await config.ensureInitialized()
print("before", config["greeting"].stringValue)

let fetched: RemoteConfigFetchStatus = try await config.fetch(withExpirationDuration: 0)
print("fetched", fetched == .success, config["greeting"].stringValue)
let isNew: Bool = try await config.activate()
print("activated", isNew, config["greeting"].stringValue)
let both: RemoteConfigFetchAndActivateStatus = try await config.fetchAndActivate()
print("both", both == .successFetchedFromRemote, config["greeting"].stringValue)

/// The calls of apps that wait for nothing compile as they are where nothing is awaited.
func start(_ config: RemoteConfig) {
    config.fetch()
    config.fetch { _, _ in }
    config.fetch(withExpirationDuration: 60)
    config.fetch(withExpirationDuration: 60) { _, _ in }
    config.fetchAndActivate()
    config.fetchAndActivate { _, _ in }
    config.activate()
    config.activate { _, _ in }
    config.fetch(completionHandler: nil)
    config.ensureInitialized { _ in }
}

/// In async functions a call that is awaited fetches, and one with a completion is not awaited.
func follow(_ config: RemoteConfig) async throws {
    try await config.fetch()
    try await config.fetchAndActivate()
    try await config.activate()
    config.fetchAndActivate { _, _ in }
    DispatchQueue.global().async { config.fetch() }
}

start(config)
try await follow(config)
print("followed", config["greeting"].stringValue)
