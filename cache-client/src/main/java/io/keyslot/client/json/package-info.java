// SPDX-License-Identifier: Apache-2.0
/** Canonical JSON: sorted keys, no spaces, whole numbers, so that equal documents have equal bytes. */
@NullMarked
package io.keyslot.client.json;

import org.jspecify.annotations.NullMarked;
