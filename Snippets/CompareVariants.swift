import Foundation
import Hearth
import HearthVision

FirebaseApp.configure()
// How models do on this device: only where the user agreed.
Analytics.setModelReportingEnabled(true)

// The version that this installation's variant has, if it takes part in an experiment.
let labeler = ImageLabeler.imageLabeler(
    options: CustomImageLabelerOptions(remoteModel: CustomRemoteModel(name: "digits")))
let labels = try await labeler.process(VisionImage(contentsOfFile: CommandLine.arguments[1]))
print(labels.first?.text ?? "nothing")

// What the goal counts; the number, if there is one, is its value.
Analytics.logEvent("digit_confirmed", parameters: nil)
Analytics.logEvent("labels_shared", parameters: [AnalyticsParameterValue: labels.count])

// A program that ends by itself sends before it does. Apps that go on need not.
try await Analytics.sendPendingEvents()
