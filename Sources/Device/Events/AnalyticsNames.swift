// The constants of FirebaseAnalytics, for apps that use them. Hearth uses only ``AnalyticsParameterValue``.

/// The parameter that is an event's value: a number from -10¹² to 10¹².
public let AnalyticsParameterValue: String = "value"

/// The content; not kept.
public let AnalyticsParameterContent: String = "content"
/// The type of the content; not kept.
public let AnalyticsParameterContentType: String = "content_type"
/// The value's currency; not kept.
public let AnalyticsParameterCurrency: String = "currency"
/// The place in a list; not kept.
public let AnalyticsParameterIndex: String = "index"
/// An item's category; not kept.
public let AnalyticsParameterItemCategory: String = "item_category"
/// An item's id; not kept.
public let AnalyticsParameterItemID: String = "item_id"
/// An item's name; not kept.
public let AnalyticsParameterItemName: String = "item_name"
/// The items of an event; not kept.
public let AnalyticsParameterItems: String = "items"
/// A level of a game; not kept.
public let AnalyticsParameterLevel: String = "level"
/// The method of an action; not kept.
public let AnalyticsParameterMethod: String = "method"
/// An item's price; not kept.
public let AnalyticsParameterPrice: String = "price"
/// The number of items; not kept.
public let AnalyticsParameterQuantity: String = "quantity"
/// A score of a game; not kept.
public let AnalyticsParameterScore: String = "score"
/// A screen's class; not kept.
public let AnalyticsParameterScreenClass: String = "screen_class"
/// A screen's name; not kept.
public let AnalyticsParameterScreenName: String = "screen_name"
/// The search term; not kept.
public let AnalyticsParameterSearchTerm: String = "search_term"
/// Where the user came from; not kept.
public let AnalyticsParameterSource: String = "source"
/// Whether the action succeeded; not kept.
public let AnalyticsParameterSuccess: String = "success"
/// A transaction's id; not kept.
public let AnalyticsParameterTransactionID: String = "transaction_id"

/// The user put an item into a cart.
public let AnalyticsEventAddToCart: String = "add_to_cart"
/// The app was opened.
public let AnalyticsEventAppOpen: String = "app_open"
/// The user began to pay.
public let AnalyticsEventBeginCheckout: String = "begin_checkout"
/// The user joined a group.
public let AnalyticsEventJoinGroup: String = "join_group"
/// A level of a game ended.
public let AnalyticsEventLevelEnd: String = "level_end"
/// A level of a game began.
public let AnalyticsEventLevelStart: String = "level_start"
/// A player reached a level.
public let AnalyticsEventLevelUp: String = "level_up"
/// The user logged in.
public let AnalyticsEventLogin: String = "login"
/// A score was posted.
public let AnalyticsEventPostScore: String = "post_score"
/// The user bought an item.
public let AnalyticsEventPurchase: String = "purchase"
/// A screen was shown.
public let AnalyticsEventScreenView: String = "screen_view"
/// The user searched.
public let AnalyticsEventSearch: String = "search"
/// The user chose content.
public let AnalyticsEventSelectContent: String = "select_content"
/// The user chose an item of a list.
public let AnalyticsEventSelectItem: String = "select_item"
/// The user shared content.
public let AnalyticsEventShare: String = "share"
/// The user signed up.
public let AnalyticsEventSignUp: String = "sign_up"
/// A tutorial began.
public let AnalyticsEventTutorialBegin: String = "tutorial_begin"
/// A tutorial was completed.
public let AnalyticsEventTutorialComplete: String = "tutorial_complete"
/// A player unlocked an achievement.
public let AnalyticsEventUnlockAchievement: String = "unlock_achievement"
/// An item was shown.
public let AnalyticsEventViewItem: String = "view_item"
