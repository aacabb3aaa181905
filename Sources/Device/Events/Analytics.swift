public import Foundation
public import HearthApp
import HearthWire

/// Reports what happens in an app to its server, which counts it for experiments.
///
/// ```swift
/// Analytics.logEvent("flower_bought", parameters: [AnalyticsParameterValue: 3.5])
/// ```
///
/// Reporting never makes its caller wait for the network and never throws: events are kept in the app's folder and sent in batches
/// within seconds, or once there is a connection, in a later process if need be, and the server counts each once. Of what
/// cannot be sent the oldest goes first, beyond 2 MiB. A process that is killed loses what was not yet written, moments
/// at most; a program that ends by itself calls ``sendPendingEvents()`` before.
///
/// The class's methods are for the default app, which must be configured: without one they do nothing but tell so in the log. The
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

    /// The same object for the same app, until the app is deleted. Hearth's addition.
    public class func analytics(app: FirebaseApp) -> Analytics {
        app.service(Analytics.self) { Analytics(app) }
    }

    /// Reports an event. Of the parameters only the number called ``AnalyticsParameterValue`` is kept.
    ///
    /// - Parameter name: A letter, then up to 39 letters, digits and underscores. With another name nothing is reported, which
    ///   the log tells.
    public func logEvent(_ name: String, parameters: [String: Any]?) {
        guard EventName.isValid(name) else {
            return AppLog.analytics.error(
                "I-ACS013006",
                """
                The event '\(name.prefix(50))' is not kept: a name is a letter and then up to 39 letters, digits and \
                underscores.
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

    /// Whether events and exposures are collected: outlives the process. Where it was never called, `Info.plist` counts with
    /// `FIREBASE_ANALYTICS_COLLECTION_ENABLED`, else `GoogleService-Info.plist` with the same key or with a false
    /// `IS_MEASUREMENT_ENABLED`, else `FirebaseApp.isDataCollectionDefaultEnabled`. Where one of the two files has a true
    /// `FIREBASE_ANALYTICS_COLLECTION_DEACTIVATED`, nothing is collected in any case. With false, what waits is deleted. Writes a small
    /// file.
    public func setAnalyticsCollectionEnabled(_ analyticsCollectionEnabled: Bool) {
        log.setCollecting(analyticsCollectionEnabled)
    }

    /// Whether the server is told how remote models do: how many cannot be loaded, how long they run and how confident they are,
    /// as a mean for each model and minute. Labelers, detectors and `ModelInterpreter` tell it, by the model's name or with the file
    /// that the app was given for it; TensorFlow Lite's `Interpreter` does not. Outlives the process. Where it was never called, `Info.plist` counts with
    /// `HearthModelReportingEnabled`, else it is off. Nothing is reported where events are not collected. Writes a small file. Hearth's
    /// addition.
    public func setModelReportingEnabled(_ modelReportingEnabled: Bool) { reports.setEnabled(modelReportingEnabled) }

    /// The installation's id, under which the server counts; nil where events are not collected, or the disk does not work.
    /// Reads a small file.
    public func appInstanceID() -> String? {
        guard log.isCollecting else { return nil }
        return try? Installations.installations(app: app).blockingInstallationID()
    }

    /// Deletes what waits. The installation's id stays: `Installations.delete()` ends it.
    public func resetAnalyticsData() { log.erase() }

    /// Sends now what was reported before, for programs that are about to end. Hearth's addition.
    ///
    /// - Throws: ``EventsError``; what was not sent is kept.
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

/// Kept for existing apps, without effect: nothing about users is kept or sent.
extension Analytics {
    /// Does nothing: no property of a user is kept or sent.
    public class func setUserProperty(_ value: String?, forName name: String) {}

    /// Does nothing: no user is known.
    public class func setUserID(_ userID: String?) {}

    /// Does nothing: there are no sessions.
    public class func setSessionTimeoutInterval(_ sessionTimeoutInterval: TimeInterval) {}

    /// Does nothing: of an event's parameters only its own value is kept.
    public class func setDefaultEventParameters(_ parameters: [String: Any]?) {}
}
