public import Foundation
public import HearthApp
import HearthWire

/// Reports events of an app to its server, which counts them for experiments.
///
/// ```swift
/// Analytics.logEvent("flower_bought", parameters: [AnalyticsParameterValue: 3.5])
/// ```
///
/// Reporting never waits for the network and never throws. The app's folder stores events, and Hearth sends them in
/// batches: within seconds, or when there is a connection again, in a later process if necessary. The server counts
/// each event once. Above 2 MiB of waiting events, the oldest ones are lost. A process that is killed loses the events
/// of its last moments, which are not written yet; a program that ends normally calls `sendPendingEvents()` first.
///
/// The class's methods are for the default app, which must be configured: otherwise they only write to the log. The
/// object's methods are for any app. Use both from any thread.
public final class Analytics: NSObject, Sendable {
    let app: FirebaseApp
    let log: EventLog
    private let reports: ModelReports

    private init(_ app: FirebaseApp) {
        self.app = app
        log = EventLog.log(of: app)
        reports = ModelReports.reports(of: app)
    }

    /// The analytics of an app: the same object for the same app, until the app is deleted. Hearth's addition.
    public class func analytics(app: FirebaseApp) -> Analytics {
        app.service(Analytics.self) { Analytics(app) }
    }

    /// Reports an event. Of the parameters, it keeps only the number ``AnalyticsParameterValue``.
    ///
    /// - Parameter name: A letter, followed by up to 39 letters, digits and underscores. An event with another name is
    ///   not reported, and the log says so.
    public func logEvent(_ name: String, parameters: [String: Any]?) {
        guard WireNames.isEventName(name) else {
            return AppLog.analytics.error(
                "I-ACS013006",
                """
                The event '\(name.prefix(50))' is not kept: a name is a letter, followed by up to 39 letters, digits \
                and underscores.
                """)
        }
        let value = parameters?[AnalyticsParameterValue]
        let number = value.flatMap(EventValue.number)
        if value != nil, number == nil {
            AppLog.analytics.error(
                "I-ACS013007", "The value of the event '\(name)' is not kept: it is not a number from -1e12 to 1e12.")
        }
        log.add(EventBodies.Event(name: name, value: number))
    }

    /// Sets whether events and exposures are collected. The value also applies after a restart. Without a call of this
    /// method, the first of these settings applies: `FIREBASE_ANALYTICS_COLLECTION_ENABLED` in `Info.plist`; the same
    /// key, or a false `IS_MEASUREMENT_ENABLED`, in `GoogleService-Info.plist`;
    /// `FirebaseApp.isDataCollectionDefaultEnabled`. If one of the two files has a true
    /// `FIREBASE_ANALYTICS_COLLECTION_DEACTIVATED`, nothing is ever collected. With false, waiting events are deleted.
    /// Writes a small file.
    public func setAnalyticsCollectionEnabled(_ analyticsCollectionEnabled: Bool) {
        log.setCollecting(analyticsCollectionEnabled)
    }

    /// Sets whether the app reports measurements of remote models to the server: how many models cannot be loaded, how
    /// many milliseconds a run takes and how confident results are, as a mean for each model and minute; and the health
    /// of each version: how often it was installed, loaded, run, failed, crashed or was rejected, with histograms of its
    /// times. Labelers, detectors and `ModelInterpreter` report them, both for a model's name and for the file that the
    /// app got for it; TensorFlow Lite's `Interpreter` does not, but an app can with `ModelDownloader.beginUse(of:_:)`.
    ///
    /// The value also applies after a restart. Without a call of this method, `HearthModelReportingEnabled` in
    /// `Info.plist` applies; without that key, the app reports nothing. Nothing is reported while events are not
    /// collected. Writes a small file. Hearth's addition.
    public func setModelReportingEnabled(_ modelReportingEnabled: Bool) { reports.setEnabled(modelReportingEnabled) }

    /// The installation's id, under which the server counts; nil when events are not collected or the disk does not
    /// work. Reads a small file.
    public func appInstanceID() -> String? {
        guard log.isCollecting else { return nil }
        return try? Installations.installations(app: app).blockingInstallationID()
    }

    /// Deletes the waiting events. The installation's id stays: `Installations.delete()` deletes it.
    public func resetAnalyticsData() { log.erase() }

    /// Sends all waiting events now, for programs that are about to end. Hearth's addition.
    ///
    /// - Throws: ``EventsError``; events that were not sent are kept.
    public func sendPendingEvents() async throws {
        reports.flush()
        try await withCheckedThrowingContinuation { continuation in
            log.send { continuation.resume(with: $0) }
        }
    }
}

extension Analytics {
    /// See the object's method.
    public class func logEvent(_ name: String, parameters: [String: Any]?) {
        ofDefaultApp?.logEvent(name, parameters: parameters)
    }

    /// See the object's method.
    public class func setAnalyticsCollectionEnabled(_ analyticsCollectionEnabled: Bool) {
        ofDefaultApp?.setAnalyticsCollectionEnabled(analyticsCollectionEnabled)
    }

    /// See the object's method.
    public class func setModelReportingEnabled(_ modelReportingEnabled: Bool) {
        ofDefaultApp?.setModelReportingEnabled(modelReportingEnabled)
    }

    /// See the object's method.
    public class func appInstanceID() -> String? { ofDefaultApp?.appInstanceID() }

    /// See the object's method.
    public class func resetAnalyticsData() { ofDefaultApp?.resetAnalyticsData() }

    /// See the object's method.
    public class func sendPendingEvents() async throws {
        guard let analytics = ofDefaultApp else {
            throw EventsError(.notConfigured, "There is no default app; call `FirebaseApp.configure()` first.")
        }
        try await analytics.sendPendingEvents()
    }

    private class var ofDefaultApp: Analytics? { FirebaseApp.app().map(analytics(app:)) }
}

/// Methods that are kept for existing apps and have no effect: Hearth does not keep or send data about users.
extension Analytics {
    /// Does nothing: Hearth does not keep or send properties of users.
    public class func setUserProperty(_ value: String?, forName name: String) {}

    /// Does nothing: Hearth does not know users.
    public class func setUserID(_ userID: String?) {}

    /// Does nothing: Hearth has no sessions.
    public class func setSessionTimeoutInterval(_ sessionTimeoutInterval: TimeInterval) {}

    /// Does nothing: Hearth keeps only the value of an event's own parameters.
    public class func setDefaultEventParameters(_ parameters: [String: Any]?) {}
}
