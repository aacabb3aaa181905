extension ModelUse {
    /// The picture, and the state that video models carry over from frame to frame.
    static let objectDetection = ModelUse(
        name: "an object detector", purpose: "object detection", manifestType: "OBJECT_DETECTION", inputCounts: 1...9)
}
