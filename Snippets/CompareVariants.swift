import Foundation
import Hearth
import HearthVision

FirebaseApp.configure()
// Measurements of models on this device, only if the user agreed.
Analytics.setModelReportingEnabled(true)

// If this installation takes part in an experiment, the version of its variant.
let labeler = ImageLabeler.imageLabeler(
    options: CustomImageLabelerOptions(remoteModel: CustomRemoteModel(name: "digits")))
let labels = try await labeler.process(VisionImage(contentsOfFile: CommandLine.arguments[1]))
print(labels.first?.text ?? "nothing")

// The event that the goal counts; the number is its value.
Analytics.logEvent("digit_confirmed", parameters: nil)
Analytics.logEvent("labels_shared", parameters: [AnalyticsParameterValue: labels.count])

// A program that ends sends its events first. An app that keeps running need not.
try await Analytics.sendPendingEvents()
