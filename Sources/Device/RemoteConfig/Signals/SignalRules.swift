import Foundation

/// Which custom signals there may be. Pure.
enum SignalRules {
    static let signalLimit = 100
    static let keyCharacterLimit = 250
    static let textCharacterLimit = 500

    /// `known` with the changes made; nil removes a signal. All changes or none.
    static func merging(
        _ changes: [String: CustomSignalValue?], into known: [String: StoredSignal]
    ) throws -> [String: StoredSignal] {
        var signals = known
        for (key, value) in changes {
            try check(key)
            if let value { try check(value, of: key) }
            signals[key] = value.map(StoredSignal.init)
        }
        guard signals.count <= signalLimit else {
            throw exceeded("There are at most \(signalLimit) custom signals; remove some by setting them to nil.")
        }
        return signals
    }

    private static func check(_ key: String) throws {
        guard !key.isEmpty, key.count <= keyCharacterLimit else {
            throw exceeded("A custom signal's key has 1 to \(keyCharacterLimit) characters; choose a shorter one.")
        }
    }

    private static func check(_ value: CustomSignalValue, of key: String) throws {
        switch value.kind {
        case .text(let text) where text.count > textCharacterLimit:
            throw exceeded(
                "The custom signal '\(key.prefix(40))' has more than \(textCharacterLimit) characters; shorten it.")
        case .double(let number) where !number.isFinite:
            throw RemoteConfigCustomSignalsError.error(
                .invalidValueType, "The custom signal '\(key.prefix(40))' is not a finite number; set one that is.")
        default: return
        }
    }

    private static func exceeded(_ text: String) -> NSError {
        RemoteConfigCustomSignalsError.error(.limitExceeded, text)
    }
}
