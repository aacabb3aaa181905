extension OperatorTable {
    /// Operators that gather elements of a dimension into one, order or count them.
    static let reductions = """
        SUM,MEAN                   T~ i32#1-8                 > T~      ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        REDUCE_PROD                T~ i32#1-8                 > T~      ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        REDUCE_MAX,REDUCE_MIN      T i32#1-8                  > T       ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        REDUCE_ANY,REDUCE_ALL      bool i32#1-8               > bool
        ARG_MAX,ARG_MIN            f32,f16,bf16,i8,u8,i16,i32,i64,bool i32,i64#1 > i32,i64
        CUMSUM                     T i32#1                    > T       ; T: f32,i32,i64
        TOPK_V2                    T/1- i16,i32#1             > T i16,i32 ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        UNIQUE                     T/1                        > T i32,i64 ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        SEGMENT_SUM                T/1- i32/1                 > T       ; T: f32,i32
        UNSORTED_SEGMENT_SUM,UNSORTED_SEGMENT_PROD T i32 i32#1 > T      ; T: f32,i32
        UNSORTED_SEGMENT_MAX,UNSORTED_SEGMENT_MIN  T i32 i32#1 > T      ; T: f32,i32
        WHERE                      bool,f32,i32,i64,i8,u8,u32 > i64
        NON_MAX_SUPPRESSION_V4     f32/2 f32/1 i32#1 f32#1 f32#1       > i32 i32
        NON_MAX_SUPPRESSION_V5     f32/2 f32/1 i32#1 f32#1 f32#1 f32#1 > i32 f32 i32
        """
}
