import Firebase

// Usage: GenerationTwoApp MODEL IMAGE
// Gets the model, says which digit is in the image, lists what is on the device and deletes the model. Prints what happens.

FirebaseApp.configure()

let screen = DownloaderScreen(modelName: CommandLine.arguments[1], imagePath: CommandLine.arguments[2])
screen.start { exit(0) }
// Runs the main queue, as an app's main loop does, until something ends the program.
withExtendedLifetime(screen) { RunLoop.main.run() }
