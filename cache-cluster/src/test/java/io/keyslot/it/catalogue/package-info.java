// SPDX-License-Identifier: Apache-2.0
/** Catalogues in real databases, and on real servers. */
@NullMarked
package io.keyslot.it.catalogue;

import org.jspecify.annotations.NullMarked;
