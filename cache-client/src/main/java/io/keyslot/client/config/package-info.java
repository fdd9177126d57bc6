// SPDX-License-Identifier: Apache-2.0
/** The configuration of a client as immutable options, and {@code ConfigurationLoader}, which reads them from {@code keyslot.yaml} and properties. */
@NullMarked
package io.keyslot.client.config;

import org.jspecify.annotations.NullMarked;
