import HearthConcurrency

#if !canImport(UIKit)
    public import Foundation
    import Synchronization

    /// Stand-in for UIKit's device. It reads no sensors: an app that knows how its device is held sets `orientation`.
    /// Missing: everything else. Use it from any thread.
    public final class UIDevice: NSObject, Sendable {
        /// The one device.
        public static let current = UIDevice()

        private let held = Lock(UIDeviceOrientation.unknown)

        private override init() {
            super.init()
        }

        /// How the device is held; `.unknown` until the app sets it. Setting it is Hearth's addition.
        public var orientation: UIDeviceOrientation {
            get { held.withLock { $0 } }
            set { held.withLock { $0 = newValue } }
        }
    }

    /// How a device is held. Raw values are UIKit's.
    public enum UIDeviceOrientation: Int, Sendable {
        /// The orientation is not known.
        case unknown = 0
        /// Upright, the top edge up.
        case portrait = 1
        /// The top edge down.
        case portraitUpsideDown = 2
        /// The top edge points left.
        case landscapeLeft = 3
        /// The top edge points right.
        case landscapeRight = 4
        /// The screen up.
        case faceUp = 5
        /// The screen down.
        case faceDown = 6
    }

#endif
