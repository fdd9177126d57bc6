// SPDX-License-Identifier: Apache-2.0
/** Where all clients agree on the map, and how one follows it. */
@NullMarked
package io.keyslot.client.catalogue;

import org.jspecify.annotations.NullMarked;
