// SPDX-License-Identifier: Apache-2.0
/** What clients do about slots that a coordinator has frozen, and does not come back for. */
@NullMarked
package io.keyslot.client.thaw;

import org.jspecify.annotations.NullMarked;
