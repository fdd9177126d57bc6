// SPDX-License-Identifier: Apache-2.0
/** What listeners hear of changes, and in which order. */
@NullMarked
package io.keyslot.client.event;

import org.jspecify.annotations.NullMarked;
