import FirebaseCore
import MLKit

// Usage: GenerationThreeApp MODEL IMAGE ...
// Labels the images with the bundle that was shipped with the app, downloads the model by its name, and labels them with that.
// Prints what happens.

FirebaseApp.configure()

let screen = LabelerScreen(
    modelName: CommandLine.arguments[1], imagePaths: Array(CommandLine.arguments.dropFirst(2)))
screen.start { exit(0) }
// Runs the main queue, as an app's main loop does, until something ends the program.
withExtendedLifetime(screen) { RunLoop.main.run() }
