// SPDX-License-Identifier: Apache-2.0
/** JSON in one canonical form: sorted, without spaces, whole numbers, so that equal documents are equal bytes. */
@NullMarked
package io.keyslot.client.json;

import org.jspecify.annotations.NullMarked;
