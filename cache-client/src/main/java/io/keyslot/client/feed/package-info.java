// SPDX-License-Identifier: Apache-2.0
/** The readers of change feeds. */
@NullMarked
package io.keyslot.client.feed;

import org.jspecify.annotations.NullMarked;
