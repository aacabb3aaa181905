#ifndef HEARTH_CFREETYPE_SHIM_H
#define HEARTH_CFREETYPE_SHIM_H

#include <ft2build.h>
#include FT_FREETYPE_H

// Macros that Swift does not see.

/// What `FT_Load_Glyph` needs in order to fit shapes to the pixels' rows only, which keeps them sharp and their widths true.
static const FT_Int32 hearth_ft_render_flags = FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT;

#endif
