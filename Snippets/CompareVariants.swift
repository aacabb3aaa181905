import Foundation
import Hearth
import HearthVision

FirebaseApp.configure()
// Measurements of models on this device, only if the user agreed.
Analytics.setModelReportingEnabled(true)

// Labels with the published model, or with the version of its variant if this installation takes part in an experiment.
let labeler = ImageLabeler.imageLabeler(
    options: CustomImageLabelerOptions(remoteModel: CustomRemoteModel(name: "digits")))
let labels = try await labeler.process(VisionImage(contentsOfFile: CommandLine.arguments[1]))
print(labels.first?.text ?? "nothing")

// An event without a value: the goal counts how many installations logged it.
Analytics.logEvent("digit_confirmed", parameters: nil)
// An event with a value, for metrics that add values up.
Analytics.logEvent("labels_shared", parameters: [AnalyticsParameterValue: labels.count])

// Sends the events before this program ends. An app that keeps running does not need this call.
try await Analytics.sendPendingEvents()
