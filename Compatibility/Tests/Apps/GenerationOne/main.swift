import Firebase

// Usage: GenerationOneApp classify MODEL float32|uint8 SIDE IMAGE ...
//        GenerationOneApp detect MODEL IMAGE
//        GenerationOneApp older MODEL
// Works with the copy that was shipped with the app, downloads the model by its name, and works with that copy. Prints what happens.

FirebaseApp.configure()

let arguments = CommandLine.arguments
let finish: () -> Void = { exit(0) }
switch arguments[1] {
case "classify":
    let type: ModelElementType = arguments[3] == "uint8" ? .uInt8 : .float32
    let screen = ClassifierScreen(
        modelName: arguments[2], type: type, side: Int(arguments[4])!, images: Array(arguments[5...]))
    screen.start(then: finish)
    keepAlive(screen)
case "detect":
    let screen = DetectorScreen(modelName: arguments[2], imagePath: arguments[3])
    screen.start(then: finish)
    keepAlive(screen)
default:
    let screen = ModelScreen(modelName: arguments[2])
    screen.start(then: finish)
    keepAlive(screen)
}

/// Runs the main queue, as an app's main loop does, until something ends the program.
func keepAlive(_ screen: AnyObject) {
    withExtendedLifetime(screen) { RunLoop.main.run() }
}
