// SPDX-License-Identifier: Apache-2.0
/**
 * JSON in one form only: sorted, without spaces, numbers whole. Two programs that say the same write the same bytes.
 */
@NullMarked
package io.keyslot.client.json;

import org.jspecify.annotations.NullMarked;
