#if !canImport(UIKit)
    public import Foundation
    import Synchronization

    /// Stand-in for UIKit's device. Nothing here watches a sensor: a program that knows how its device is held says so by
    /// setting `orientation`. Missing: everything else. Use it from any thread.
    public final class UIDevice: NSObject, Sendable {
        /// The one device.
        public static let current = UIDevice()

        private let held = Mutex(UIDeviceOrientation.unknown)

        private override init() {
            super.init()
        }

        /// How the device is held; `.unknown` until the program says. Setting it is Hearth's addition.
        public var orientation: UIDeviceOrientation {
            get { held.withLock { $0 } }
            set { held.withLock { $0 = newValue } }
        }
    }

    /// How a device is held. Raw values are UIKit's.
    public enum UIDeviceOrientation: Int, Sendable {
        case unknown = 0
        case portrait = 1
        case portraitUpsideDown = 2
        /// The top edge points left.
        case landscapeLeft = 3
        /// The top edge points right.
        case landscapeRight = 4
        case faceUp = 5
        case faceDown = 6
    }

#endif
