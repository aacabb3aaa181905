import Foundation
import HearthApp
import HearthWire

/// The limits of custom signals. Pure.
enum SignalRules {
    /// `known` with the changes; nil removes a signal. Makes all changes or none.
    static func merging(
        _ changes: [String: CustomSignalValue?], into known: [String: StoredSignal]
    ) throws -> [String: StoredSignal] {
        var signals = known
        for (key, value) in changes {
            try check(key)
            if let value { try check(value, of: key) }
            signals[key] = value.map(StoredSignal.init)
        }
        guard signals.count <= CustomSignalLimits.count else {
            throw exceeded(
                "At most \(CustomSignalLimits.count) custom signals are possible; remove some by setting them to nil.")
        }
        return signals
    }

    private static func check(_ key: String) throws {
        guard CustomSignalLimits.isKey(key) else {
            throw exceeded(
                "A custom signal's key must have 1 to \(CustomSignalLimits.keyLength) characters.")
        }
    }

    private static func check(_ value: CustomSignalValue, of key: String) throws {
        switch value.kind {
        case .text(let text) where !CustomSignalLimits.isText(text):
            throw exceeded(
                "The custom signal '\(key.prefix(40))' has more than \(CustomSignalLimits.textLength) characters; shorten it."
            )
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
