#ifndef HEARTH_CTURBOJPEG_SHIM_H
#define HEARTH_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>

#endif
